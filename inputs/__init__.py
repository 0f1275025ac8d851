"""Graphs for Violet's programs: file formats, generators and a catalogue of named inputs."""
