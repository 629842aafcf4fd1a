"""Opens a campaign. For the screen, until it asks the desk itself."""

from brt_cg.service.desk import Desk

open_desk = Desk.open
