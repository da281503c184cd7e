"""What the server tells its operators: metrics and logs."""
