0 1
# in the middle

1 two
