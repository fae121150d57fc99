/** Whether this browser can make and use passkeys, and takes and gives them as JSON. */
export const canPasskeys = () => typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential
