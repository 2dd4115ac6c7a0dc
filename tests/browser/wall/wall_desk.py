"""The desk of an assessor who judges walls, also without a connection and after a killed browser."""

import os
import shutil
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page

from tests.browser.judging.surface import fail_on_script_errors
from tests.browser.judging.test_offline import set_offline
from tests.browser.judging.test_offline_storm import Desk
from tests.browser.signing_in import sign_in


class WallDesk(Desk):
    """An assessor at a browser with service workers, and a window that shows a whole wall."""

    is_offline = False
    cookies: Sequence[Any] = ()  # that a browser has on disk soon after signing in

    def kill(self) -> None:
        assert self.context is not None
        self.cookies = self.context.cookies()
        super().kill()

    def open(self, address: str) -> Page:
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.context = self.playwright.chromium.launch_persistent_context(
            self.profile,
            executable_path=shutil.which("chromium"),
            args=args,
            base_url=self.server.url,
            viewport={"width": 1440, "height": 900},
        )
        self.context.set_offline(self.is_offline)
        self.context.add_cookies(self.cookies)
        sign_in(self.context, self.assignment.assessor, self.server)
        page = self.context.new_page()
        fail_on_script_errors(page)
        page.goto(address)
        return page

    def set_offline(self, *, is_offline: bool) -> None:
        if self.context and is_offline != self.is_offline:
            set_offline(self.context, self.server, is_offline=is_offline)
            self.is_offline = is_offline
