"""What that says, with the test stated: claims and the evidence for them, guidelines, what a second machine says."""
