"""The client's text: sentences, words, normalisation, and putting it together again."""
