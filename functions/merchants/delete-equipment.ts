import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Equipment, EquipmentParams } from '../../shared/sales/equipment/schema.ts';
import { equipment } from '../../shared/sales/equipment/store.ts';
import { equipmentChanged } from '../../shared/sales/merchants/equipment-events.ts';
import { ofReachedMerchant } from '../../shared/sales/merchants/reached-merchant.ts';

export default endpoint({
  method: 'DELETE',
  path: '/merchants/{merchantId}/equipment/{equipmentId}',
  permission: 'writeMerchants',
  reach: 'merchant',
  params: EquipmentParams,
  response: Equipment,
  emits: ['merchant_updated'],
  summary: 'Delete a piece of equipment',
  read: (input) =>
    ofReachedMerchant(input, equipment.get(input.account, input.params.merchantId, input.params.equipmentId)),
  decide: (_, piece) => ({
    response: equipment.show(piece),
    writes: equipment.delete(piece),
    events: equipmentChanged(piece, undefined),
  }),
});
