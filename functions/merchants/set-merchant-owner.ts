import { putOwner } from '../../shared/people/ownership/put-owner.ts';
import { ownedMerchants } from '../../shared/sales/merchants/owned-merchants.ts';

export default putOwner(ownedMerchants, { summary: 'Set the owner and the team of a merchant' });
