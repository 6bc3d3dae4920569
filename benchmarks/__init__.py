"""Benchmarks: throughput, and their published results."""
