"""A delivery and its invoice sketched for a profile: order, note, notice, invoices, earlier records, policy, decoy.

In: a profile, a wish (Sketch) and a random stream. Out: Facts, or None where the drawn prices leave no room for a
tolerance.
"""

import datetime as dt
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random

from generator.families.clerks import address, clerk_names, moment, working_day_before
from generator.families.figures import limit
from generator.families.office import Contact
from generator.families.purchasing import OrderLine, PurchaseOrder, supplier
from generator.families.receiving_ap_match.facts import (
    BilledLine,
    DeliveredLine,
    DeliveryReport,
    EarlierInvoice,
    EarlierReceipt,
    Facts,
    HoldNames,
    ManualEntries,
    ManualEntry,
    Match,
    MatchPolicy,
    SupplierInvoice,
)
from generator.families.receiving_ap_match.lines import Drawn, draw_cap, draw_lines, pools
from generator.spec.money import total
from generator.spec.tenant import Supplier, TenantProfile

CLERKS = 1
"""This family's share of the names of clerks."""
PERCENTAGES = tuple(map(Decimal, ("0.25", "0.5", "1", "1.5", "2", "2.5", "3", "4")))


@dataclass(frozen=True)
class Sketch:
    """What a delivery is to look like.

    parts: what the order's lines play. charge: "held" or "within" the policy's cap, empty without one. corrected: the
    supplier has sent a second invoice. notice: "full" or "short" (of one line too little), empty without one. lower,
    pays_in_part: as in the policy. manual: "other" or "same" invoice among those keyed without an order.
    """

    parts: tuple[str, ...]
    charge: str = ""
    corrected: bool = False
    notice: str = ""
    lower: bool = True
    pays_in_part: bool = False
    manual: str = ""


class Sketcher:
    """Draws for one profile, in a fixed order."""

    def __init__(self, profile: TenantProfile, wish: Sketch, rng: Random) -> None:
        self.profile, self.wish, self.rng, self.code = profile, wish, rng, profile.code
        self.today = profile.today
        self.vendor = supplier(profile, profile.cast["match_supplier"])
        self.namesake = supplier(profile, profile.cast["match_namesake"])
        billing, office, self.checker = clerk_names(profile, rng, 3, share=CLERKS)
        self.billing = _contact(self.vendor, billing, "Billing")
        self.office = _contact(self.namesake, office, "Accounts")
        self.delivered = working_day_before(self.today - dt.timedelta(rng.randint(2, 4)))
        opened = max(p.start for p in profile.periods if p.application == "payables" and p.status == "Open")
        self.dated = max(opened, self.delivered)
        prefix = rng.choice(pools()["prefixes"])
        self.serial = rng.randint(300, 900)
        self.number = f"{prefix}-{self.today.year}-{self.serial:04d}"
        self.earlier_number = f"{prefix}-{self.today.year}-{self.serial - rng.randint(11, 60):04d}"
        self.pct = rng.choice(PERCENTAGES[2:6])
        self.task_order, self.decoy_order = (f"PO-{self.code}-{n}" for n in rng.sample(range(6110, 6190), 2))

    def facts(self) -> Facts | None:
        lines = draw_lines(self.wish.parts, self.wish.corrected, self.pct, self.profile.currency, self.rng)
        cap = draw_cap(lines, self.rng)
        if cap is None:
            return None
        charge = self._charge(lines)
        policies = self._policies(lines, cap, charge)
        task = self._task(lines, charge)
        return Facts(
            organization=self.profile.cast["main_org"],
            business_unit=self.profile.business_unit,
            receipt_source="VENDOR",
            receipt_transaction="RECEIVE",
            task=task,
            decoy=self._decoy(cap),
            earlier_receipts=(self._earlier_receipt(lines),),
            earlier_invoices=(self._earlier_invoice(lines),),
            manual_entries=self._manual(task) if self.wish.manual else None,
            policies=policies,
            chat_at=moment(self.profile, self.delivered, 12, 5),
            chat_thread=f"THREAD-{self.code}-DOCK",
        )

    def _task(self, lines: tuple[Drawn, ...], charge: BilledLine | None) -> Match:
        note, notice = self._note(lines), self._notice(lines)
        received = moment(self.profile, self.delivered, 16, 20)
        invoice = self._invoice(lines, charge, corrected=False)
        return Match(
            order=self._order(self.task_order, self.vendor, lines),
            contact=self.billing,
            delivery=note.source,
            deliveries=(note, *([notice] if notice else [])),
            invoice=SupplierInvoice(
                source=f"FILE-{self.code}-SUPPLIER-INVOICE-{self.serial:04d}",
                medium="drive",
                number=self.number,
                dated=self.dated,
                received=received,
                lines=invoice,
            ),
            corrected=self._corrected(lines, charge) if self.wish.corrected else None,
        )

    def _corrected(self, lines: tuple[Drawn, ...], charge: BilledLine | None) -> SupplierInvoice:
        day = working_day_before(self.today)
        return SupplierInvoice(
            source=f"MSG-{self.code}-INVOICE-CORRECTED-{day:%m%d}",
            medium="mail",
            number=self.number,
            dated=self.dated,
            received=moment(self.profile, day, 15, 45),
            lines=self._invoice(lines, charge, corrected=True),
        )

    def _invoice(self, lines: tuple[Drawn, ...], charge: BilledLine | None, corrected: bool) -> tuple[BilledLine, ...]:
        billed = [
            BilledLine(
                order_line=place,
                quantity=(line.last if corrected else line.first) // line.content,
                unit_price=line.asked * line.content,
                unit="pack" if line.content > 1 else None,
                content=line.content,
            )
            for place, line in enumerate(lines, 1)
        ]
        return (*billed, *([charge] if charge else []))

    def _charge(self, lines: tuple[Drawn, ...]) -> BilledLine | None:
        if not self.wish.charge:
            return None
        amount = limit(total((line.last, line.price) for line in lines), self.rng, 0.008, 0.02)
        return BilledLine(
            order_line=None, quantity=1, unit_price=amount, description=self.rng.choice(pools()["charges"])
        )

    def _order(self, number: str, vendor: Supplier, lines: tuple[Drawn, ...]) -> PurchaseOrder:
        created = self.delivered - dt.timedelta(self.rng.randint(18, 30))
        return PurchaseOrder(
            number=number,
            supplier=vendor.number,
            organization=self.profile.cast["main_org"],
            created=moment(self.profile, created, 10, 15),
            lines=tuple(
                OrderLine(
                    line=place,
                    item=line.code,
                    description=line.description,
                    quantity=line.ordered,
                    unit_price=line.price,
                    promised=self.delivered,
                    received=line.received,
                    billed=line.billed_before,
                )
                for place, line in enumerate(lines, 1)
            ),
        )

    def _note(self, lines: tuple[Drawn, ...]) -> DeliveryReport:
        replaced = f"MSG-{self.code}-SHIPPING-NOTICE-{self._noticed:%m%d}" if self.wish.notice else None
        return DeliveryReport(
            source=f"FILE-{self.code}-DELIVERY-NOTE-{self.delivered:%m%d}",
            medium="drive",
            kind="note",
            number=f"DN-{self.code}-{self.delivered:%m%d}",
            issued=moment(self.profile, self.delivered, 10, 40),
            edition=2,
            checked_by=self.checker,
            replaces=replaced,
            lines=tuple(
                DeliveredLine(
                    order_line=place,
                    shipped=line.came,
                    counted=line.came,
                    damaged=line.damaged,
                    remark="Damaged in transit" if line.damaged else None,
                )
                for place, line in enumerate(lines, 1)
            ),
        )

    @property
    def _noticed(self) -> dt.date:
        return working_day_before(self.delivered)

    def _notice(self, lines: tuple[Drawn, ...]) -> DeliveryReport | None:
        """What the supplier announced: all of it, or of one line less than came in the end."""
        if not self.wish.notice:
            return None
        plain = [place for place, line in enumerate(lines, 1) if line.part in ("exact", "small", "packs")]
        short = self.rng.choice(plain) if self.wish.notice == "short" else 0
        announced = []
        for place, line in enumerate(lines, 1):
            less = max(1, round(line.came * self.rng.uniform(0.1, 0.3))) if place == short else 0
            announced.append(
                DeliveredLine(order_line=place, shipped=line.came - less, counted=line.came - less)
            )
        return DeliveryReport(
            source=f"MSG-{self.code}-SHIPPING-NOTICE-{self._noticed:%m%d}",
            medium="mail",
            kind="announcement",
            number=f"DN-{self.code}-{self.delivered:%m%d}",
            issued=moment(self.profile, self._noticed, 14, 30),
            edition=1,
            lines=tuple(announced),
        )

    def _policies(
        self, lines: tuple[Drawn, ...], cap: Decimal, charge: BilledLine | None
    ) -> tuple[MatchPolicy, ...]:
        rng, edition = self.rng, self.rng.randint(2, 7)
        amount = charge.unit_price if charge else Decimal(0)
        within = limit(amount, rng, 1.2, 1.9) if self.wish.charge == "within" else None
        names = [entry.code for entry in self.profile.lookups if entry.kind == "hold_name"]
        start = self.today.replace(month=1, day=1)
        current = MatchPolicy(
            source=f"FILE-{self.code}-AP-MATCH-POLICY",
            medium="drive",
            edition=edition,
            issued=moment(self.profile, start - dt.timedelta(rng.randint(10, 20)), 11),
            effective_from=start,
            tolerance_pct=self.pct,
            tolerance_cap=cap,
            lower=self.wish.lower,
            charge_cap=within,
            pays_in_part=self.wish.pays_in_part,
            holds=HoldNames(price=names[0], quantity=names[1], not_on_order=names[2]),
        )
        before = start.replace(year=start.year - rng.randint(1, 2))
        pct, other_cap = self._earlier_tolerance(lines, cap)
        earlier = current.model_copy(
            update={
                "source": f"MSG-{self.code}-AP-MATCH-POLICY-E{edition - 1}",
                "medium": "mail",
                "edition": edition - 1,
                "issued": moment(self.profile, before - dt.timedelta(rng.randint(10, 20)), 11),
                "effective_from": before,
                "tolerance_pct": pct,
                "tolerance_cap": other_cap,
                "lower": True,
                "charge_cap": None,
                "pays_in_part": False,
                "refuses_repeats": self.wish.manual != "same",
            }
        )
        return current, earlier

    def _earlier_tolerance(self, lines: tuple[Drawn, ...], cap: Decimal) -> tuple[Decimal, Decimal]:
        """One that passes a price which the cap stops now, or stops one that passes now."""
        stopped = [line for line in lines if line.part == "cap"]
        if stopped:
            wider = next(p for p in PERCENTAGES if p > self.pct)
            return wider, limit(max(line.off for line in stopped), self.rng, 1.2, 1.8)
        passing = [line.off_pct for line in lines if line.part in ("small", "either")]
        tighter = [p for p in PERCENTAGES if p < min(passing, default=self.pct)]
        return (tighter or PERCENTAGES)[-1 if tighter else 0], cap

    def _earlier_receipt(self, lines: tuple[Drawn, ...]) -> EarlierReceipt:
        """What came of the order before; some line plays a part of which something did."""
        prefix, following = self.profile.sequences["receiving_receipt_requests"]
        return EarlierReceipt(
            number=f"{prefix}{following - self.rng.randint(9, 40)}",
            order=self.task_order,
            organization=self.profile.cast["main_org"],
            created=moment(self.profile, self.delivered - dt.timedelta(self.rng.randint(8, 14)), 11, 50),
            created_by="warehouse_lead",
            lines=tuple((place, line.received) for place, line in enumerate(lines, 1) if line.received),
        )

    def _earlier_invoice(self, lines: tuple[Drawn, ...]) -> EarlierInvoice:
        dated = self.delivered - dt.timedelta(self.rng.randint(5, 8))
        return EarlierInvoice(
            id=self.profile.sequences["invoices"][1] - self.rng.randint(50, 90),
            number=self.earlier_number,
            order=self.task_order,
            dated=dated,
            created=moment(self.profile, dated + dt.timedelta(1), 13, 25),
            lines=tuple(
                (place, line.billed_before, line.price) for place, line in enumerate(lines, 1) if line.billed_before
            ),
        )

    def _manual(self, task: Match) -> ManualEntries:
        """Invoices keyed without an order: another one of the same supplier or the very one, and a stranger's."""
        rng, day = self.rng, working_day_before(self.today)
        amount = total((line.quantity, line.unit_price) for line in task.invoice.lines)
        same = self.wish.manual == "same"
        other = f"{self.number[:-4]}{self.serial + rng.randint(11, 60):04d}"
        number = (self.number if same else other).replace("-", "")
        others = [s for s in self.profile.suppliers if s.number not in (self.vendor.number, self.namesake.number)]
        first = self.profile.sequences["invoices"][1] - rng.randint(20, 30)
        entered = moment(self.profile, working_day_before(day), 16, 5)

        def entry(id: int, typed: str, vendor: Supplier, value: Decimal) -> ManualEntry:
            return ManualEntry(
                id=id,
                number=typed,
                supplier=vendor.number,
                dated=self.dated,
                created=entered,
                amount=value,
                description="Goods, from a paper copy",
            )

        stranger = entry(
            first + rng.randint(2, 9), f"R{rng.randint(10000, 99999)}", rng.choice(others), limit(amount, rng, 0.1, 0.5)
        )
        own = entry(first, number, self.vendor, amount if same else limit(amount, rng, 0.3, 0.8))
        return ManualEntries(
            source=f"MSG-{self.code}-MANUAL-ENTRIES-{day:%m%d}",
            listed=moment(self.profile, day, 17, 10),
            entries=(own, stranger),
        )

    def _decoy(self, cap: Decimal) -> Match:
        """The other supplier's delivery, billed under the same number and in order but for a small price."""
        lines = draw_lines(("exact", "exact", "small"), False, self.pct, self.profile.currency, self.rng)
        lines = tuple(x if x.off * 2 <= cap else replace(x, asked=x.price + Decimal("0.01")) for x in lines)
        day = working_day_before(self.delivered)
        note = DeliveryReport(
            source=f"MSG-{self.code}-DELIVERY-NOTE-{day:%m%d}",
            medium="mail",
            kind="note",
            number=f"DN-{self.code}-{day:%m%d}",
            issued=moment(self.profile, day, 11, 15),
            edition=1,
            checked_by=self.checker,
            lines=tuple(
                DeliveredLine(order_line=place, shipped=line.came, counted=line.came)
                for place, line in enumerate(lines, 1)
            ),
        )
        return Match(
            order=self._order(self.decoy_order, self.namesake, lines),
            contact=self.office,
            delivery=note.source,
            deliveries=(note,),
            invoice=SupplierInvoice(
                source=f"MSG-{self.code}-INVOICE-{self.namesake.number.replace('-', '')}-{day:%m%d}",
                medium="mail",
                number=self.number,
                dated=max(self.dated - dt.timedelta(1), self.dated.replace(day=1)),
                received=moment(self.profile, self.delivered, 9, 5),
                lines=self._invoice(lines, None, corrected=False),
            ),
        )


def _contact(vendor: Supplier, name: str, title: str) -> Contact:
    domain = "".join(c for c in address(vendor.name, "").lower() if c.isascii() and c.isalnum())
    return Contact(name=name, title=title, email=address(name, f"{domain}-sim.example"))
