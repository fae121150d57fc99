import { api } from './client.ts'

/** Asks for newsletters; resolves to the page that says what is next. */
export async function subscribe(email: string, lists: string[], trap: string): Promise<string | undefined> {
  const { data } = await api.POST('/fns/newsletters/subscribe', { body: { email, lists, ...(trap ? { website: trap } : {}) } })
  return data?.data?.redirect
}
