"""How the next tokens are chosen: functions of logits and of what was chosen before; knows no architecture."""
