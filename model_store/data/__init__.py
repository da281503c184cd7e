"""Parallel text, the subword vocabulary, batches; gold alignments."""
