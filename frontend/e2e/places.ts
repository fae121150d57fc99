import { expect, type APIRequestContext } from '@playwright/test'
import { english, must, posts, type Edition } from './paper.ts'

interface Post {
  post_type: string
  post_url: string
  author_data: { id: string }[]
}

interface Bootstrap {
  edition: {
    paths: Record<string, string | null>
    categories: { key: string; slug: string }[]
    commentSuffix: string
    menus: { footer: { items: { url: string }[] }[] }
  }
}

/** Pages whose addresses have no parameter, so that every edition can be asked for those that it has. */
const plain = ['front', 'topicIndex', 'minutes', 'videos', 'search', 'account', 'registration', 'login', 'newsletters', 'paymentSuccess', 'securityCheck', 'consent'] as const

/** Those that somebody has to write. */
const written = ['career', 'contacts', 'history', 'principles', 'organisation', 'company', 'christmas'] as const

/** Steps of pages that have several: who buys for others or gives back, and who asked for newsletters. */
const steps = { sale: ['campaign', 'coupon', 'gift', 'withdrawal'], newsletterStep: ['sent'] } as const

/** What an edition in English has none of: it is made for tests. */
const notInEnglish = ['topic', 'locked article', 'opinion', 'video', 'salon', 'minute', 'minute in the reader']

/** One address of every kind of page that the edition has, by name, and all that its footer leads to. */
export async function places(request: APIRequestContext, edition: Edition): Promise<Record<string, string>> {
  const home = await (await request.get(`${edition.origin}/`)).text()
  const { paths, categories, commentSuffix, menus } = (JSON.parse(must(/id="bootstrap"[^>]*>([^<]+)</.exec(home)?.[1], 'the bootstrap')) as Bootstrap).edition
  const ask = async <T>(path: string) => {
    const answer = await request.get(edition.origin + path)
    expect(answer.ok(), path).toBe(true)
    return (await answer.json()) as T
  }
  const local = (url?: string) => url && edition.origin + new URL(url, edition.origin).pathname
  const fill = (route: string, value?: string) => value && edition.origin + must(paths[route], route).replace(/:\w+/, encodeURIComponent(value))

  const [locked] = await posts(request, edition, true)
  const open = must((await posts(request, edition, false))[0], 'an open post')
  const [video] = await ask<Post[]>('/content/videos?per_page=1')
  const technology = must(categories.find(({ key }) => key === 'technology'), 'technology').slug
  const salon = (await ask<Post[]>(`/content/posts/by_category/${technology}?per_page=50`)).find(({ post_type }) => post_type === 'salon_article')
  const [opinion] = (await ask<{ articles: Post[] }>('/content/opinion')).articles
  const [minute] = await ask<Post[]>('/content/minute?per_page=1')
  const [topic] = await ask<{ term_meta: { slug: string } }[]>('/content/weeklies_details?per_page=1')
  const [signed] = opinion ? [opinion] : await ask<Post[]>(`/content/posts/by_category/${edition.section}?per_page=1`)
  const named: Record<string, string | undefined> = {
    ...Object.fromEntries([...plain, ...(edition.id === english.id ? [] : written)].flatMap((route) => (paths[route] ? [[route, edition.origin + paths[route]]] : []))),
    ...Object.fromEntries(Object.entries(steps).flatMap(([route, all]) => all.map((step) => [step, fill(route, step)]))),
    category: fill('category', edition.section),
    topic: fill('topic', topic?.term_meta.slug),
    author: fill('author', signed?.author_data[0]?.id),
    'search results': fill('searchTerm', 'Europa'),
    'empty search': fill('searchTerm', 'xqzvwk'),
    'open article': local(open.post_url),
    'locked article': local(locked?.post_url),
    opinion: local(opinion?.post_url),
    video: local(video?.post_url),
    salon: local(salon?.post_url),
    minute: local(minute?.post_url),
    'minute in the reader': minute && `${local(minute.post_url)}?article_type=${must(paths.minutes, 'minutes').split('/').at(-1)}`,
    discussion: fill('discussion', `comment-${open.post_id}${commentSuffix && `-${commentSuffix}`}`),
    sent: `${edition.origin}${must(paths.sent, 'sent')}?type=thankyou-login&email=reader%40example.org`,
    'not found': `${edition.origin}/this/is/not/there`,
  }
  const missing = Object.keys(named).filter((name) => !named[name])
  expect(missing, `what ${edition.id} has no page of`).toEqual(edition.id === english.id ? notInEnglish : [])
  const known = new Set(Object.values(named))
  const linked = menus.footer.flatMap(({ items }) => items.map(({ url }) => edition.origin + url)).filter((url) => url && !known.has(url) && !url.includes('/category/'))
  return Object.fromEntries([...Object.entries(named).filter((one): one is [string, string] => one[1] !== undefined), ...linked.map((url) => [must(url.split('/').at(-1), url), url] as const)])
}
