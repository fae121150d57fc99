import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { HTMLCache, PageRenderer } from './html-cache.server.tsx'
import { cachedOnServer, ServerCacheContext } from './server-cache.tsx'

vi.stubEnv('SSR', true) // as in the server's bundle
afterAll(() => vi.unstubAllEnvs())

let rendered = 0
const Item = cachedOnServer('item', function Item({ title, note }: { title: string; note?: string | undefined }) {
  rendered++
  return (
    <li>
      {title}: <b>{note}</b>
    </li>
  )
})
const Lead = cachedOnServer(
  'lead',
  function Lead({ src, eager }: { src: string; eager: boolean }) {
    rendered++
    return <img src={src} alt="" loading={eager ? undefined : 'lazy'} />
  },
  ({ eager }) => eager,
)
const Nothing = cachedOnServer('nothing', function Nothing() {
  return null
})

function List({ titles }: { titles: string[] }) {
  return (
    <main>
      <Nothing />
      {titles.map((title) => (
        <Item key={title} title={title} note={'<i> & "q"'} />
      ))}
      text
    </main>
  )
}

function page(cache: HTMLCache, ui: ReactElement, edition = 'north'): string {
  const renderer = new PageRenderer(edition, cache)
  return renderer.fill(renderToString(<ServerCacheContext value={renderer}>{ui}</ServerCacheContext>), (element) => renderToString(element))
}

describe('the cache of rendered components', () => {
  it('gives the HTML that there is without it, in the same order', () => {
    const ui = <List titles={['a', 'b', 'c']} />
    const cache = new HTMLCache()
    expect(page(cache, ui)).toBe(renderToString(ui))
    expect(page(cache, ui)).toBe(renderToString(ui))
  })

  it('renders equal props once, and other props, names and editions by themselves', () => {
    const cache = new HTMLCache()
    rendered = 0
    page(cache, <List titles={['a', 'b']} />)
    page(cache, <List titles={['b', 'a']} />)
    expect(rendered).toBe(2)
    page(cache, <Item title="a" note="other" />)
    expect(rendered).toBe(3)
    expect(page(cache, <Item title="a" note={'<i> & "q"'} />, 'south')).toBe(renderToString(<Item title="a" note={'<i> & "q"'} />))
    expect(rendered).toBe(5)
  })

  it('renders what is excepted where it stands', () => {
    const cache = new HTMLCache()
    const ui = (
      <main>
        <Lead src="/later" eager={false} />
        <Lead src="/first" eager />
      </main>
    )
    rendered = 0
    expect(page(cache, ui)).toBe(renderToString(ui))
    expect(page(cache, ui)).toContain('href="/first"/><main>')
    expect(rendered).toBe(5) // two by renderToString alone, the excepted one twice, the other once
  })

  it('forgets what is not asked for any more, and keeps what is', () => {
    const cache = new HTMLCache()
    cache.set('old', 'x')
    cache.set('used', 'y')
    for (let n = 0; n < 1500; n++) {
      cache.set(`n${n}`, '')
      cache.get('used')
    }
    expect(cache.get('old')).toBeUndefined()
    expect(cache.get('used')).toBe('y')
  })

  it('takes no place for one that a text has', () => {
    expect(() => new PageRenderer('north', new HTMLCache()).fill('<p></p>', () => '')).not.toThrow()
    const renderer = new PageRenderer('north', new HTMLCache())
    renderer.place('item', Item, { title: 'a' })
    expect(() => renderer.fill('<p></p>', () => '')).toThrow('1 pieces for 0 places')
  })
})
