import { qualificationEndpoint } from '../../shared/sales/leads/qualification-endpoint.ts';

export default qualificationEndpoint('disqualified', {
  path: '/leads/{leadId}/disqualify',
  summary: 'Disqualify a lead',
});
