%%MatrixMarket matrix coordinate pattern general
3 3 1
1 2
