/** Where changes of a subscription are sent to. */
export const changePath = '/fns/stripe-subscription'
