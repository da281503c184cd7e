"""One bundle's road from texts to translations and scores, and what is tried when a translation is doubtful."""
