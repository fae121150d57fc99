import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig } from '@playwright/test'

// The whole paper runs for the tests: the real binary on its embedded parts, in a folder of its own.
const port = Number(process.env.E2E_PORT ?? 8790)
const data = (process.env.E2E_DATA ??= path.join(tmpdir(), `broadsheet-e2e-${process.pid}`)) // tests that use the command line find it too
if (process.env.TEST_WORKER_INDEX === undefined && !process.env.E2E_REUSE) mkdirSync(data, { recursive: true, mode: 0o755 })

process.env.E2E_DATA = data // the workers' processes get the same

export default defineConfig({
  // Files run in the order of their names, so those that take longest are called all-*: begun last, one would leave a
  // processor idle at the end. Projects have an order too, but each starts its workers and browsers anew.
  testDir: 'e2e',
  globalSetup: './e2e/setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 5, // of two processors: half of a test is waiting until a page is quiet
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 }, // a busy machine is slow, not wrong
  forbidOnly: true,
  reporter: 'line',
  webServer: process.env.E2E_REUSE
    ? undefined
    : {
        command: `../bin/broadsheet dev --listen 127.0.0.1:${port} --admin 127.0.0.1:${port + 1} --data ${data}`,
        // Tests say from which machine a reader comes; a line for each of fifty thousand requests helps nobody.
        // Its collector need not save memory: that would take the browser's time.
        env: { BROADSHEET_WEB_TRUSTED_PROXIES: '127.0.0.1', BROADSHEET_LOG_LEVEL: 'warn', GOGC: '400', GOMEMLIMIT: '1GiB' },
        url: `http://127.0.0.1:${port + 1}/readyz`,
        timeout: 600_000, // a first start may have to install parts
        gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
        stdout: 'ignore',
        stderr: 'pipe',
      },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      // Pages live for seconds: compiling their scripts a second time, for speed, costs more than it saves.
      args: ['--js-flags=--no-opt,--no-maglev', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
    screenshot: 'only-on-failure',
  },
})
