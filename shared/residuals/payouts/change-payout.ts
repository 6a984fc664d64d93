import { ApiError } from '../../errors.ts';
import type { Effects } from '../../events/envelope.ts';
import type { Static } from '../../schema.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { type Balances, balanceWrites } from '../runs/month-sums.ts';
import type { StoredStatement } from '../statements/schema.ts';
import { payoutChanged } from './events.ts';
import { readPayoutFile } from './render-payout.ts';
import { reopenStatement } from './reopen-statements.ts';
import { mostPayments, type Payout, type PayoutFile } from './schema.ts';
import { payouts, type StoredPayout, showPayout } from './store.ts';

/** The most statements and balances that the cancellation of a payout changes in its transaction. */
const mostReopened = mostPayments;

/** Cancels a payout whose file nobody has seen, and reopens its statements. Throws `payout_not_cancellable`. */
export function cancelPayout(
  payout: StoredPayout,
  { statements, balances }: { statements: readonly StoredStatement[]; balances: Balances },
  request: Authored,
): Effects & { response: Payout } {
  if (payout.state === 'cancelled') return { response: showPayout(payout), writes: [], events: [] };
  if (payout.state !== 'created') throw new ApiError('payout_not_cancellable');
  if (balances.size > 0 && statements.length + balances.size > mostReopened)
    throw new ApiError('payout_not_cancellable', {
      message:
        'The runs of too many statements of this payout were reversed. Download its file without sending it, and record each payment as returned.',
    });
  const reopened = statements.flatMap((statement) =>
    reopenStatement(statement, { state: 'approved', payoutId: null }, balances, request),
  );
  const after = revise(payout, { state: 'cancelled', cancelledAt: request.now.toISOString() }, request);
  return {
    response: showPayout(after),
    writes: [...payouts.replace(payout, after), ...reopened, ...balanceWrites(payout.accountId, balances)],
    events: payoutChanged('payout_cancelled', after),
  };
}

interface DownloadRequest extends Authored {
  dataKeys(): Promise<DataKeys>;
}

/** Returns the file of a payout. From then on, the payout cannot be cancelled. Throws `payout_cancelled`. */
export async function downloadPayout(
  payout: StoredPayout,
  request: DownloadRequest,
): Promise<Effects & { response: Static<typeof PayoutFile> }> {
  if (payout.state === 'cancelled') throw new ApiError('payout_cancelled');
  const fileContent = await readPayoutFile(payout, await request.dataKeys());
  const downloadedAt = payout.downloadedAt ?? request.now.toISOString();
  const after = revise(payout, { state: 'downloaded', downloadedAt }, request);
  const isNacha = payout.format === 'nacha';
  return {
    response: {
      fileName: `payout-${payout.id}.${isNacha ? 'ach' : 'csv'}`,
      mediaType: isNacha ? 'text/plain; charset=us-ascii' : 'text/csv; charset=utf-8',
      sha256: payout.sha256,
      fileContent,
    },
    writes: payouts.replace(payout, after),
    events: payoutChanged('payout_downloaded', after),
  };
}
