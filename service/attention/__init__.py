"""From raw attention rows to what people read: maps by layer and head, word level, alignments, pictures."""
