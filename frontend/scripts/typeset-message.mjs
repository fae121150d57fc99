import { TYPE } from '@formatjs/icu-messageformat-parser'
import { number, other, typeset } from './typography.mjs'

/** Sets the literals of a message's tree, each with a look at what stands beside it; counted is the name of its number. */
export function setNodes(locale, nodes, counted = null) {
  const mark = (node) => (node.type === TYPE.pound || (node.type === TYPE.argument && node.value === counted) ? number : other)
  const set = typeset(locale, nodes.map((node) => (node.type === TYPE.literal ? node.value : mark(node))).join(''))
  const literals = set.split(new RegExp(`[${number}${other}]`))
  let at = 0
  return nodes.map((node) => {
    if (node.type === TYPE.literal) return { ...node, value: literals[at] }
    at++
    const within = node.type === TYPE.plural ? node.value : counted
    const out = { ...node }
    if (node.children) out.children = setNodes(locale, node.children, counted)
    if (node.options)
      out.options = Object.fromEntries(Object.entries(node.options).map(([name, option]) => [name, { ...option, value: setNodes(locale, option.value, within) }]))
    return out
  })
}
