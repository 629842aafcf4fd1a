"""The pages of the Campaign room, one file for each."""

from brt_cg.tui.pages.allotments import AllotmentsPage
from brt_cg.tui.pages.audit import AuditPage
from brt_cg.tui.pages.export import ExportPage
from brt_cg.tui.pages.order_of_battle import OrderOfBattlePage
from brt_cg.tui.pages.page import Page
from brt_cg.tui.pages.rulings import RulingsPage
from brt_cg.tui.pages.totals import TotalsPage

PAGES: tuple[type[Page], ...] = (
    AllotmentsPage,
    TotalsPage,
    OrderOfBattlePage,
    RulingsPage,
    AuditPage,
    ExportPage,
)
