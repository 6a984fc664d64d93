import { endpoint } from '../../shared/endpoints/endpoint.ts';
import {
  countReturns,
  importReturns,
  readSentReturns,
} from '../../shared/residuals/payouts/import-returns.ts';
import { ReturnFileInput, ReturnFileResult } from '../../shared/residuals/payouts/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-payouts/returns',
  permission: 'payResiduals',
  proof: 'bank_data',
  sensitive: true,
  body: ReturnFileInput,
  response: ReturnFileResult,
  happenings: ['payout_returned', 'payout_result_recorded', 'payout_account_updated'],
  commitsParts: true,
  summary: 'Record the returns of a bank',
  description:
    'Reads a NACHA file with returns (such as R01) and notifications of change (such as C05). A return makes its statement payable again, once. If the run of the statement was reversed since the payment, the amount is added to the beneficiary’s balance instead. A notification corrects the payout account of the beneficiary. A file that is cut or altered is refused with its line. `records` contains each entry of the file, also those that changed nothing. The same file again changes nothing.',
  read: async ({ body }) => readSentReturns(body.fileContent),
  decide: async (request, items) => {
    const records = await importReturns(request, items);
    return { response: { ...countReturns(records), records }, writes: [], events: [] };
  },
});
