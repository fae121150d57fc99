import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { render } from '../test/render.tsx'
import { Share } from './share.tsx'

const url = 'https://north.example/17/most?a=1&b=2'
const share = () => render(<Share url={url} title="Most & rieka" />)

test('mail and networks are links that carry address and title', () => {
  share()
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    `mailto:?subject=Most%20%26%20rieka&body=${encodeURIComponent(url)}`,
    `https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(url)}`,
    `https://x.com/intent/post?url=${encodeURIComponent(url)}&text=Most%20%26%20rieka`,
    `https://t.me/share/url?url=${encodeURIComponent(url)}&text=Most%20%26%20rieka`,
  ])
})

test('what is passed on has plain spaces and hyphens', () => {
  render(<Share url={url} title={'O\u00a05\u00a0% menej e\u2011mailov'} />)
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  for (const link of [links[0], links[2], links[3]]) expect(link).toContain('=O%205%20%25%20menej%20e-mailov')
})

test('copying says that it is done', async () => {
  const { user } = share()
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await user.click(screen.getByRole('button', { name: 'Kopírovať odkaz' }))
  expect(writeText).toHaveBeenCalledWith(url)
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Odkaz je skopírovaný'))
})

test('copying that the browser refuses claims nothing', async () => {
  const { user } = share()
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
  await user.click(screen.getByRole('button', { name: 'Kopírovať odkaz' }))
  expect(screen.getByRole('status').textContent).toBe('')
})

test('where the system has no sheet of its own, none is offered', () => {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { share: undefined }))
  share()
  expect(screen.queryByRole('button', { name: 'Zdieľať…' })).toBeNull()
})

test('the system’s own sheet is offered where there is one', async () => {
  const native = vi.fn(async () => undefined)
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { share: native }))
  const { user } = share()
  await user.click(screen.getByRole('button', { name: 'Zdieľať…' }))
  expect(native).toHaveBeenCalledWith({ url, title: 'Most & rieka' })
})
