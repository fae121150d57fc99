import { expect, type APIRequestContext } from '@playwright/test'
import { must, posts, type Edition } from './paper.ts'

interface Post {
  post_type: string
  post_url: string
  author_data: { id: string }[]
}

/** Pages whose addresses have no parameter, so that every edition can be asked for those that it has. */
const plain = ['front', 'topicIndex', 'minutes', 'videos', 'search', 'career', 'contacts', 'history', 'principles', 'organisation', 'company', 'christmas', 'account', 'registration', 'login', 'newsletters', 'paymentSuccess', 'securityCheck', 'consent'] as const

/** One address of every kind of page that the edition has, by name. */
export async function places(request: APIRequestContext, edition: Edition): Promise<Record<string, string>> {
  const home = await (await request.get(`${edition.origin}/`)).text()
  const bootstrap = JSON.parse(must(/id="bootstrap"[^>]*>([^<]+)</.exec(home)?.[1], 'the bootstrap')) as { edition: { paths: Record<string, string | null>; categories: { key: string; slug: string }[] } }
  const { paths, categories } = bootstrap.edition
  const ask = async <T>(path: string) => {
    const answer = await request.get(edition.origin + path)
    expect(answer.ok(), path).toBe(true)
    return (await answer.json()) as T
  }
  const local = (url: string) => edition.origin + new URL(url, edition.origin).pathname
  const fill = (route: string, value: string) => edition.origin + must(paths[route], route).replace(/:\w+/, encodeURIComponent(value))

  const locked = must((await posts(request, edition, true))[0], 'a locked post')
  const open = must((await posts(request, edition, false))[0], 'an open post')
  const [video] = await ask<Post[]>('/content/videos?per_page=1')
  const technology = must(categories.find(({ key }) => key === 'technology'), 'technology').slug
  const salon = (await ask<Post[]>(`/content/posts/by_category/${technology}?per_page=50`)).find(({ post_type }) => post_type === 'salon_article')
  const opinion = must((await ask<{ articles: Post[] }>('/content/opinion')).articles[0], 'an opinion')
  const minute = must((await ask<Post[]>('/content/minute?per_page=1'))[0], 'a short news item')
  const [topic] = await ask<{ term_meta: { slug: string } }[]>('/content/weeklies_details?per_page=1')
  return {
    ...Object.fromEntries(plain.flatMap((route) => (paths[route] ? [[route, edition.origin + paths[route]]] : []))),
    category: fill('category', edition.section),
    topic: fill('topic', must(topic, 'a topic').term_meta.slug),
    author: fill('author', must(opinion.author_data[0], 'an author').id),
    'search results': fill('searchTerm', 'Europa'),
    'empty search': fill('searchTerm', 'xqzvwk'),
    'open article': local(open.post_url),
    'locked article': local(locked.post_url),
    opinion: local(opinion.post_url),
    video: local(must(video, 'a video').post_url),
    salon: local(must(salon, 'a talk').post_url),
    minute: local(minute.post_url),
    'minute in the reader': `${local(minute.post_url)}?article_type=${must(paths.minutes, 'minutes').split('/').at(-1)}`,
    sent: `${edition.origin}${must(paths.sent, 'sent')}?type=thankyou-login&email=reader%40example.org`,
    'not found': `${edition.origin}/this/is/not/there`,
  }
}
