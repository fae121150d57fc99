import { api } from './client.ts'
import { ApiError } from './error.ts'

/** Who closes the device's question has not failed; anything else has. */
async function ask(question: Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    const answer = await question
    return answer instanceof PublicKeyCredential ? answer : null
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') return null
    throw new ApiError(0, 'PASSKEY_INVALID')
  }
}

const plain = (credential: PublicKeyCredential) => credential.toJSON() as Record<string, unknown>

/** Has the device make a passkey and keeps it; false when it was not made. */
export async function addPasskey(): Promise<boolean> {
  const { data } = await api.POST('/fns/passkeys/challenge', { body: {} })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON((data?.data.publicKey ?? {}) as unknown as PublicKeyCredentialCreationOptionsJSON)
  const made = await ask(navigator.credentials.create({ publicKey }))
  if (!made) return false
  await api.POST('/fns/passkeys/add', { body: { credential: plain(made) } })
  return true
}

/** The reader wants no passkey now: none is offered for a while. */
export const declinePasskey = () => api.POST('/fns/passkeys/decline', { body: {} })

/** Signs in by a passkey of this device; answers where to go, nothing when none was used. */
export async function signInByPasskey(referrer: string): Promise<string | undefined> {
  const { data } = await api.POST('/api/passkey-challenge', { body: {} })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON((data?.data.publicKey ?? {}) as unknown as PublicKeyCredentialRequestOptionsJSON)
  const signed = await ask(navigator.credentials.get({ publicKey }))
  if (!signed) return undefined
  const answer = await api.POST('/api/passkey-login', { body: { credential: plain(signed), referrer } })
  return answer.data?.data?.redirect
}
