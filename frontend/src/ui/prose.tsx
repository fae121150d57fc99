import { useState } from 'react'
import type { SafeHtml } from '../api/html.ts'
import './prose-blocks.css'
import './prose-embeds.css'
import styles from './prose.module.css'

interface ProseProps {
  /** Unique for what it holds ("article-17"): by it the HTML of the server's page is found again. */
  name: string
  /** Empty in the first page's data, when the server has put the HTML into the page itself. */
  html: SafeHtml
}

/** Running text. The only place that takes HTML, and it takes the server's sanitised HTML alone. */
export function Prose({ name, html }: ProseProps) {
  const [shipped] = useState(() => (html === '' ? shippedHtml(name) : ''))
  // What the browser makes of the HTML may differ in spelling from what was sent; it is the same text.
  return <div className={styles.prose} data-prose={name} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html || shipped }} />
}

function shippedHtml(name: string): string {
  if (typeof document === 'undefined') return ''
  return document.querySelector(`[data-prose="${CSS.escape(name)}"]`)?.innerHTML ?? ''
}
