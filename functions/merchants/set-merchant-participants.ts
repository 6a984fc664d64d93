import { putParticipants } from '../../shared/people/ownership/put-participants.ts';
import { ownedMerchants } from '../../shared/sales/merchants/owned-merchants.ts';

export default putParticipants(ownedMerchants, { summary: 'Set the participants of a merchant' });
