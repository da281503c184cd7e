"""Where sentences end, where long ones are cut, and lines that are wrapped."""
