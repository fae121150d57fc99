import { api } from './client.ts'
import type { components } from './schema.gen.ts'

export type HelpRequest = components['schemas']['HelpRequest']
export type HelpDraft = components['schemas']['HelpDraft']

/** Sends support the message of somebody who no longer knows the address of an account; answers where that is said. */
export async function askHelp(body: HelpRequest): Promise<string | undefined> {
  const { data } = await api.POST('/fns/forgotten-email', { body })
  return data?.data?.redirect
}
