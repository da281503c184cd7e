"""Text as people type it: shorthand, slips, capitals, signs in place of others."""
