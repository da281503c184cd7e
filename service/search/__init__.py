"""How the next tokens are chosen: functions of log-probabilities and a row's own history; knows no architecture."""
