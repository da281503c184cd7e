"""What rules translate instead of a model: times, dates, measures, rates, set phrases. Each language has its own."""
