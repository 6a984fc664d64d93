import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { patchAgreement, readForNextVersion } from '../../shared/residuals/agreements/change-agreement.ts';
import { agreementHappened } from '../../shared/residuals/agreements/events.ts';
import { Agreement, AgreementPatch } from '../../shared/residuals/agreements/schema.ts';
import { residualAgreements } from '../../shared/residuals/agreements/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'PATCH',
  path: '/residual-agreements/{id}',
  permission: 'writeResiduals',
  params: RecordParams,
  body: AgreementPatch,
  response: Agreement,
  record: Agreement,
  errors: ['beneficiary_unknown', 'agreement_conflict', 'agreement_cycle', 'quota_exceeded'],
  happenings: ['residual_agreement_updated'],
  summary: 'Add a version to an agreement',
  description:
    'The new version has the given terms, and the others of the latest version. It applies from its `validFrom`. Earlier versions never change. A version that begins in a past month changes posted runs only by later runs, as differences. Null clears an optional term.',
  read: ({ account, params, body }) => readForNextVersion(account, params.id, body),
  decide: async (request, known) => {
    const { before } = known;
    await request.checkReadOnly(() => residualAgreements.show(before));
    const after = patchAgreement(request, request.body, known);
    return {
      response: residualAgreements.show(after),
      writes: residualAgreements.save(before, after, known.turn),
      events: before === after ? [] : agreementHappened('residual_agreement_updated', after),
    };
  },
});
