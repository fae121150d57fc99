import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The words of a PDF as a reader sees them, a line of the page on each line. */
export async function pdfText(file: Uint8Array): Promise<string> {
  const loading = getDocument({ data: new Uint8Array(file), verbosity: 0 })
  const document = await loading.promise
  const pages: string[] = []
  for (let n = 1; n <= document.numPages; n++) {
    const { items } = await (await document.getPage(n)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''))
  }
  await loading.destroy()
  return pages.join('\n')
}
