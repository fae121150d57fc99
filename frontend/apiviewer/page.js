// Shows api.yaml, which stands beside the page. The viewer is dark where the reader's system is.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

window.SwaggerUIBundle({
  url: 'api.yaml',
  dom_id: '#api',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  filter: true,
  validatorUrl: null, // its default sends the description to a foreign host
})
