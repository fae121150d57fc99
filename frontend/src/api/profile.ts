import { api } from './client.ts'

/** Asks for another address; resolves to where its state is shown. */
export async function askEmail(email: string): Promise<string | undefined> {
  const { data } = await api.POST('/fns/user-email', { body: { email } })
  return data?.data?.redirect
}

/** Confirms one side of a change of address by the code of its mail. */
export async function confirmEmail(code: string, keepPasskeys: boolean): Promise<string | undefined> {
  const { data } = await api.POST('/fns/user-email/confirm', { body: { code, keep_passkeys: keepPasskeys } })
  return data?.data?.redirect
}
