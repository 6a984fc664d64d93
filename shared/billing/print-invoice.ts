import type { Account } from '../accounts/schema.ts';
import { printedPage } from '../endpoints/printed-page.ts';
import type { HttpResponse } from '../endpoints/response.ts';
import { escapeHtml } from '../formats.ts';
import { dayIn } from '../instant.ts';
import { printedAmount } from './currencies.ts';
import type { Invoice } from './schema.ts';

const styles = `
:root{color:#1a1a1a;background:#fff;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
body{max-width:46rem;margin:2.5rem auto;padding:0 1.5rem}
header{display:flex;justify-content:space-between;gap:2rem;align-items:flex-start}
h1{font-size:1.6rem;margin:0 0 .25rem}
p{margin:0}
.from{font-weight:600}
.status{display:inline-block;border:1px solid;border-radius:.25rem;padding:0 .5rem;text-transform:uppercase;font-size:.8rem;letter-spacing:.05em}
.parties{margin:2rem 0;display:flex;justify-content:space-between;gap:2rem}
h2{font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;color:#555;margin:0 0 .25rem}
dl{display:grid;grid-template-columns:auto auto;gap:.1rem 1rem;margin:0;align-content:start}
dd{margin:0;text-align:right}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{text-align:right;white-space:nowrap;padding:.4rem .5rem;border-bottom:1px solid #ddd;vertical-align:top}
th:first-child,td:first-child{text-align:left;white-space:normal;padding-left:0;overflow-wrap:anywhere}
th:last-child,td:last-child{padding-right:0}
thead th{font-size:.8rem;color:#555;border-bottom:2px solid #1a1a1a}
tfoot th,tfoot td{border-bottom:0}
tfoot th:first-child{text-align:right}
tfoot th{font-weight:400}
tfoot .due th,tfoot .due td{font-weight:700;font-size:1.1rem;border-top:2px solid #1a1a1a}
.memo{margin-top:2rem;white-space:pre-wrap;overflow-wrap:anywhere}
@page{margin:18mm}
@media print{body{margin:0;padding:0;max-width:none}tr{break-inside:avoid}thead{display:table-header-group}tfoot{display:table-row-group}}
`;

/** Returns a rate in basis points as a percentage, such as `8.25 %`. */
const percentOf = (taxRate: number): string => `${Number((taxRate / 100).toFixed(3))} %`;

/** The account that sends an invoice. */
type Seller = Pick<Account, 'name' | 'timezone'>;

/** Returns the response with an invoice as a page for printing. */
export function printResponse(invoice: Invoice, { name: seller, timezone }: Seller): HttpResponse {
  const { currency, number, status, customerName, customerAddress = [], dueDate, openedAt, memo } = invoice;
  // Invoices that were opened before the field existed have no `issuedOn`.
  const { issuedOn = openedAt && dayIn(timezone, new Date(openedAt)) } = invoice;
  const { net, tax, total, credited, received, refunded, writtenOff, amountDue } = invoice;
  const money = (amount: number) => printedAmount(amount, currency);
  const title = number ?? 'Draft of an invoice';
  const rows = invoice.lines.map(
    (line) =>
      `<tr><td>${escapeHtml(line.description)}</td><td>${line.exactQuantity ?? line.quantity}</td><td>${money(line.discount ? -line.unitAmount : line.unitAmount)}</td><td>${percentOf(line.exactTaxRate ?? line.taxRate ?? 0)}</td><td>${money(line.net)}</td></tr>`,
  );
  const sums: (readonly [string, number])[] = [
    ['Subtotal', net],
    ['Tax', tax],
    ['Total', total],
    ...[
      ['Credits', -credited] as const,
      ['Payments', -received] as const,
      ['Refunds', refunded] as const,
      ['Written off', -writtenOff] as const,
    ].filter(([, amount]) => amount !== 0),
  ];
  const day = (label: string, date: string | undefined) =>
    date === undefined ? '' : `<dt>${label}</dt><dd>${escapeHtml(date)}</dd>`;
  const body = `<header><div><h1>${number === undefined ? 'Invoice' : `Invoice ${escapeHtml(number)}`}</h1><p class="status">${status}</p></div><p class="from">${escapeHtml(seller)}</p></header>
<main>
<div class="parties">
<section><h2>Bill to</h2>${[customerName, ...customerAddress].map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</section>
<dl>${day('Date', issuedOn)}${day('Due', dueDate)}<dt>Currency</dt><dd>${escapeHtml(currency)}</dd></dl>
</div>
<table>
<thead><tr><th scope="col">Description</th><th scope="col">Quantity</th><th scope="col">Unit price</th><th scope="col">Tax</th><th scope="col">Amount</th></tr></thead>
<tbody>${rows.join('')}</tbody>
<tfoot>${sums.map(([label, amount]) => `<tr><th scope="row" colspan="4">${label}</th><td>${money(amount)}</td></tr>`).join('')}
<tr class="due"><th scope="row" colspan="4">Amount due (${escapeHtml(currency)})</th><td>${money(status === 'draft' ? total : amountDue)}</td></tr></tfoot>
</table>
${memo === undefined ? '' : `<p class="memo">${escapeHtml(memo)}</p>`}
</main>`;
  return printedPage({ title: `${title} – ${seller}`, styles, body });
}
