import { known } from './codes.ts'

/** What a change of a subscription can be refused with, known where one can be asked for. */
export const subscriptionCodes = ['SUBSCRIPTION_STATE', 'AMOUNT_CHANGED'] as const

for (const code of subscriptionCodes) known.add(code)

/** Where changes of a subscription are sent to. */
export const changePath = '/fns/stripe-subscription'
