# by Windows
0 1

1 x
