import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { newAgreement, readForNew } from '../../shared/residuals/agreements/change-agreement.ts';
import { agreementHappened } from '../../shared/residuals/agreements/events.ts';
import { Agreement, AgreementInput } from '../../shared/residuals/agreements/schema.ts';
import { residualAgreements } from '../../shared/residuals/agreements/store.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-agreements',
  permission: 'writeResiduals',
  body: AgreementInput,
  response: Agreement,
  success: 'created',
  errors: ['beneficiary_unknown', 'merchant_unknown', 'agreement_conflict', 'agreement_cycle'],
  happenings: ['residual_agreement_created'],
  summary: 'Create an agreement about residuals',
  description:
    'Exactly one agreement applies to a row of a file: the most specific one. Two agreements with the same scope that would apply in the same month are refused, also if the first one has a share after its end.',
  read: ({ account, body }) => readForNew(account, body),
  decide: (request, known) => {
    const agreement = newAgreement(request, request.body, known);
    return {
      response: residualAgreements.show(agreement),
      writes: residualAgreements.save(undefined, agreement, known.turn),
      events: agreementHappened('residual_agreement_created', agreement),
    };
  },
});
