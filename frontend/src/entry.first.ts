import { whenShown } from './app/when-shown.ts'

// The one script in the document. The server names the modules of the page: the app's entry, then all that it will import.
const modules = JSON.parse(document.getElementById('modules')?.textContent ?? '[]') as string[]

// What the server could not render is not there before the app is.
if (document.getElementById('app')?.hasChildNodes()) await whenShown(window)
for (const href of modules) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = href
  document.head.append(link)
}
if (modules[0]) await import(/* @vite-ignore */ modules[0])
