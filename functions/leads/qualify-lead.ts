import { qualificationEndpoint } from '../../shared/sales/leads/qualification-endpoint.ts';

export default qualificationEndpoint('qualified', {
  path: '/leads/{leadId}/qualify',
  summary: 'Qualify a lead',
});
