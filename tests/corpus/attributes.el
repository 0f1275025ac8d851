# as networkx writes them
0 1 {'weight': 3, 'colour': 'red'}
4 1 {'weight': 5}
