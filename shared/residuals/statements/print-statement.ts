import type { Account } from '../../accounts/schema.ts';
import { accounts } from '../../accounts/store.ts';
import { printedAmount } from '../../billing/currencies.ts';
import { printedPage } from '../../endpoints/printed-page.ts';
import type { HttpResponse } from '../../endpoints/response.ts';
import { escapeHtml } from '../../formats.ts';
import { dayIn } from '../../instant.ts';
import { neutralCell } from '../../neutral-cells.ts';
import { getStatement, type StatementReader } from './read-statements.ts';
import type { StoredStatement } from './schema.ts';
import { kindTexts, type StoredLine, showLine, statementLines } from './stored-lines.ts';

/** A page shows at most this many lines. The others are in GET …/lines. */
const mostPrinted = 2_000;

const styles = `
:root{color:#1a1a1a;background:#fff;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
body{max-width:50rem;margin:2.5rem auto;padding:0 1.5rem}
header{display:flex;justify-content:space-between;gap:2rem;align-items:flex-start}
h1{font-size:1.6rem;margin:0 0 .25rem}
p{margin:0}
.from{font-weight:600}
dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem 1rem;margin:1.5rem 0}
dd{margin:0;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.35rem .5rem;border-bottom:1px solid #ddd;vertical-align:top;overflow-wrap:anywhere}
th:last-child,td:last-child{text-align:right;white-space:nowrap;padding-right:0}
th:first-child,td:first-child{padding-left:0}
thead th{font-size:.8rem;color:#555;border-bottom:2px solid #1a1a1a}
tfoot th{font-weight:400;text-align:right}
tfoot .due th,tfoot .due td{font-weight:700;border-top:2px solid #1a1a1a}
@media screen and (max-width:40rem){body{margin:1rem auto;padding:0 1rem}header{display:block}table{font-size:.75rem}thead th{font-size:.65rem}th,td{padding-inline:.2rem}th,td:not(:nth-child(2)){overflow-wrap:normal}}
@page{margin:18mm}
@media print{body{margin:0;padding:0;max-width:none}tr{break-inside:avoid}thead{display:table-header-group}tfoot{display:table-row-group}}
`;

function rowOf(line: StoredLine, number: number, currency: string): string {
  const { kind, corrects, mid = '', dba, processor, reason, amount } = showLine(line, number);
  const text = [kindTexts[kind], corrects && 'taken back', dba ?? reason].filter(Boolean).join(', ');
  const cells = [String(number), text, neutralCell(mid), processor ?? '', printedAmount(amount, currency)];
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
}

/** The account that pays a statement. */
type Sender = Pick<Account, 'name' | 'timezone'>;

/**
 * Returns a statement as a page for printing, in English. It does not depend on the state of the statement. A spreadsheet that
 * opens the page evaluates none of its texts as a formula.
 */
function statementPage(
  statement: StoredStatement,
  lines: readonly StoredLine[],
  sender: Sender,
): HttpResponse {
  const { id, month, kind, beneficiaryName, currency, lineCount, postedAt, sha256 } = statement;
  const { total, balanceBefore, withdrawn, payable, balanceAfter } = statement;
  const title = `${kind === 'reversal' ? 'Reversal of residuals' : 'Residuals'} ${month}`;
  const sums: (readonly [string, number])[] = [
    ['Total', total],
    ['Balance before', balanceBefore],
    ...(withdrawn > 0 ? [['Not paid by the reversed statement', withdrawn] as const] : []),
    ['Carried forward', balanceAfter],
  ];
  const money = (amount: number) => printedAmount(amount, currency);
  const left = lineCount - mostPrinted;
  const facts: (readonly [string, string])[] = [
    ['Beneficiary', neutralCell(beneficiaryName)],
    ['Statement', String(id)],
    ['Posted', dayIn(sender.timezone, new Date(postedAt))],
    ['Currency', currency],
    ['SHA-256', sha256],
  ];
  const body = `<header><h1>${escapeHtml(title)}</h1><p class="from">${escapeHtml(sender.name)}</p></header>
<main>
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>
<table>
<thead><tr><th scope="col">Line</th><th scope="col">Description</th><th scope="col">MID</th><th scope="col">Processor</th><th scope="col">Amount</th></tr></thead>
<tbody>${lines
    .slice(0, mostPrinted)
    .map((line, n) => rowOf(line, n + 1, currency))
    .join('')}</tbody>
<tfoot>${left > 0 ? `<tr><th scope="row" colspan="4">${left} more lines are not printed</th><td></td></tr>` : ''}${sums.map(([label, amount]) => `<tr><th scope="row" colspan="4">${label}</th><td>${money(amount)}</td></tr>`).join('')}
<tr class="due"><th scope="row" colspan="4">Payable (${escapeHtml(currency)})</th><td>${money(payable)}</td></tr></tfoot>
</table>
</main>`;
  return printedPage({ title: `${title} – ${beneficiaryName}`, styles, body });
}

/** Returns the response with the page of a statement that a caller reads. Throws `not_found`. */
export async function readPrinted(reader: StatementReader | undefined, id: number): Promise<HttpResponse> {
  const statement = await getStatement(reader, id);
  const [lines, sender] = await Promise.all([
    statementLines.first(statement, mostPrinted),
    accounts.get(statement.accountId),
  ]);
  return statementPage(statement, lines, sender);
}
