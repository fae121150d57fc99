// Reads what the three runners wrote (go test -json, and the JSON reports of vitest and Playwright), says of every failed
// test why it failed, and ends with one line of counts. A test that was skipped counts as failed.
import { readFileSync } from 'node:fs'

const [folder, ...broken] = process.argv.slice(2) // broken: the runners that ended with an error
const sums = { passed: 0, failed: 0 }
const names = [] // of what failed
const most = 60 // lines of one failed test

function failed(name, words, count = 1) {
  sums.failed += count
  names.push(name)
  const all = words.replaceAll(/\u001b\[[0-9;]*m/g, '').trim().split('\n').filter((line) => !/level=(DEBUG|INFO)|^\s*$/.test(line))
  const logged = (line) => / level=\w+ msg=/.test(line)
  const lines = [...all.filter((line) => !logged(line)), ...all.filter(logged)] // what the test says, before what was logged beside it
  console.log(`\nFAILED ${name}\n${lines.slice(0, most).map((line) => `    ${line.slice(0, 1500)}`).join('\n')}`)
}

function go(text) {
  const said = new Map()
  const named = new Set()
  for (const line of text.split('\n')) {
    if (!line.startsWith('{')) {
      if (line.trim()) console.log(line)
      continue
    }
    const { Action, Package, ImportPath, Test = '', Output = '', FailedBuild } = JSON.parse(line)
    const pack = Package ?? ImportPath
    const key = `${pack} ${Test}`.trim()
    if (Action === 'output' || Action === 'build-output') said.set(key, (said.get(key) ?? '') + Output)
    if (Action === 'pass' && Test && !Test.includes('/')) sums.passed++
    if (Action === 'skip' && Test) failed(key, 'skipped: a missing part must be installed, not passed over')
    if (Action === 'fail' && Test) {
      named.add(pack)
      failed(key, (said.get(key) ?? '').replaceAll(/^=== .*\n/gm, ''), Test.includes('/') ? 0 : 1)
    }
    // A package fails by itself when it does not build, panics or exits outside of a test.
    if (Action === 'fail' && !Test && !named.has(pack)) failed(pack, said.get(FailedBuild ?? key) ?? said.get(key) ?? 'did not run')
  }
  if (sums.passed + sums.failed === 0) failed('go test', 'ran nothing')
}

function vitest(text) {
  const report = JSON.parse(text)
  for (const file of report.testResults) {
    for (const test of file.assertionResults) {
      if (test.status === 'passed') sums.passed++
      else failed(test.fullName, test.failureMessages.join('\n') || test.status)
    }
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) failed(file.name, file.message)
  }
}

function playwright(text) {
  const report = JSON.parse(text)
  const walk = (suite) => {
    suite.suites?.forEach(walk)
    for (const spec of suite.specs ?? []) {
      const results = spec.tests.flatMap((test) => test.results)
      if (spec.ok && results.every((result) => result.status === 'passed')) sums.passed++
      else failed(`${spec.file}: ${spec.title}`, results.flatMap((result) => result.errors.map((error) => error.message)).join('\n') || 'did not pass')
    }
  }
  report.suites.forEach(walk)
  for (const error of report.errors) failed('playwright', error.message)
}

for (const [name, read] of Object.entries({ go, vitest, playwright })) {
  const before = sums.failed
  try {
    read(readFileSync(`${folder}/${name}.json`, 'utf8'))
  } catch (error) {
    failed(name, `its report cannot be read: ${error.message}`)
  }
  if (broken.includes(name) && sums.failed === before) failed(name, 'ended with an error that none of its tests tells of')
}
if (names.length) console.log(`\nfailed: ${names.join(', ')}`)
console.log(`${sums.passed} passed, ${sums.failed} failed`)
process.exitCode = sums.failed ? 1 : 0
