"""What is held against what: pairs of programs, the best ones, several GPUs, codes of others; a study of it all."""
