"""What a translation needs when it is written: agreement, elision, prepositions, words that it must not lose."""
