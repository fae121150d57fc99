// Reads a report of gosec or wapiti, prints what is not explained where it stands, and fails when there is any.
import { readFileSync } from 'node:fs'

const report = JSON.parse(readFileSync(0, 'utf8'))
const found = []
for (const { rule_id: rule, file, line, details } of report.Issues ?? []) {
	const at = parseInt(line, 10)
	const lines = readFileSync(file, 'utf8').split('\n').slice(Math.max(at - 2, 0), at)
	// The linter has the same rules, and takes a reason on the line or the one above.
	if (!lines.some((text) => /nolint:[\w,]*gosec/.test(text))) found.push(`${file}:${line}: ${rule} ${details}`)
}
for (const [kind, list] of Object.entries({ ...report.vulnerabilities, ...report.anomalies })) {
	for (const { method, path, info } of list) found.push(`${kind}: ${method} ${path} ${info}`)
}
console.log(found.length === 0 ? 'nothing that is not explained' : found.join('\n'))
process.exit(found.length === 0 ? 0 : 1)
