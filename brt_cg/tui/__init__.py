"""The screen: four rooms (Home, Dashboard, Refit, Forces) over the same desk as the command line."""
