import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { applicationResponse } from '../../shared/sales/applications/application-response.ts';
import { completenessOf } from '../../shared/sales/applications/completeness/required-items.ts';
import { findWarnings } from '../../shared/sales/applications/completeness/rules.ts';
import {
  approveApplication,
  decideApplication,
} from '../../shared/sales/applications/decision/decide-application.ts';
import { ApplicationParams, DecidedApplication } from '../../shared/sales/applications/record/schema.ts';
import { mayReadApplication, showAdmin } from '../../shared/sales/applications/show-application.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { decisionMade } from '../../shared/sales/applications/underwriting/underwriting-events.ts';
import { DecisionInput } from '../../shared/sales/applications/underwriting/underwriting-schema.ts';
import { merchantCreated } from '../../shared/sales/merchants/event-fields.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { decisionWrites } from '../../shared/sales/underwriting-rules/submissions.ts';

export default endpoint({
  method: 'POST',
  path: '/applications/{applicationId}/decision',
  permission: 'writeUnderwriting',
  reach: 'application',
  sensitive: true,
  params: ApplicationParams,
  body: DecisionInput,
  response: DecidedApplication,
  errors: ['application_not_submitted'],
  emits: ['underwriting_decision_made', 'merchant_created', 'extapi_status_change'],
  destructive: true,
  summary: 'Approve or reject a submitted application, or request information',
  description:
    'An approval creates a merchant; its id is in `admin.merchantId`. A request for information makes the application pending again.',
  read: (input) => reached(input, 'application', applications.get(input.account, input.params.applicationId)),
  decide: async (request, application) => {
    const decided = decideApplication(application, request.body, request);
    const { after, merchant } =
      decided.status === 'approved'
        ? await approveApplication(decided, request)
        : { after: decided, merchant: undefined };
    const completeness = completenessOf(after);
    return {
      response: {
        ...applicationResponse(after, { ...request, query: {} }),
        admin: showAdmin(request.principal, after.admin),
        ...(mayReadApplication(request.principal, after) && {
          warnings: findWarnings(after, completeness.method),
        }),
      },
      writes: [
        ...applications.replace(application, after, completeness),
        ...(merchant ? merchants.insert(merchant) : []),
        ...decisionWrites(after),
      ],
      events: [...decisionMade(after, request.body), ...(merchant ? merchantCreated(merchant) : [])],
    };
  },
});
