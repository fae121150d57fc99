// TypeScript types of the server's calls, from the one description that the server's tests check too.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { frontend, openapi, write } from './paths.mjs'

if (!fs.existsSync(openapi)) throw new Error(`${openapi} is missing: the API's types are made from it`)
const tree = await openapiTS(pathToFileURL(openapi), { alphabetize: true })
write(path.join(frontend, 'src/api/schema.gen.ts'), astToString(tree))
