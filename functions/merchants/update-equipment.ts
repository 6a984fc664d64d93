import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Equipment, EquipmentParams, EquipmentPatch } from '../../shared/sales/equipment/schema.ts';
import { equipment, toStoredEquipment } from '../../shared/sales/equipment/store.ts';
import { equipmentChanged } from '../../shared/sales/merchants/equipment-events.ts';
import { ofReachedMerchant } from '../../shared/sales/merchants/reached-merchant.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PATCH',
  path: '/merchants/{merchantId}/equipment/{equipmentId}',
  permission: 'writeMerchants',
  reach: 'merchant',
  params: EquipmentParams,
  body: EquipmentPatch,
  response: Equipment,
  emits: ['merchant_updated'],
  summary: 'Change the given fields of a piece of equipment',
  description: 'Null clears an optional field.',
  read: (input) =>
    ofReachedMerchant(input, equipment.get(input.account, input.params.merchantId, input.params.equipmentId)),
  decide: async (request, before) => {
    await request.checkReadOnly(() => equipment.show(before));
    const after = revise(before, toStoredEquipment(request.body), request);
    return {
      response: equipment.show(after),
      writes: [...equipment.replace(before, after), ...merchants.requireParent(before, after)],
      events: equipmentChanged(before, after),
    };
  },
});
