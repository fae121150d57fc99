import type { components } from './schema.gen.ts'

type Schemas = components['schemas']

export type Card = Schemas['Card']
export type Picture = Schemas['Picture']
export type Section = Schemas['Section']
export type Byline = Schemas['Byline']
export type MinuteItem = Schemas['MinuteItem']
export type PostType = Schemas['PostType']
export type Offer = Schemas['Offer']
export type Product = Schemas['Product']

export type FrontData = Schemas['FrontData']
export type CategoryData = Schemas['CategoryData']
export type ArticleData = Schemas['ArticleData']
export type StaticData = Schemas['StaticData']
export type NotFoundData = Schemas['NotFoundData']
export type AccountData = Schemas['AccountData']
export type LoginData = Schemas['LoginData']
export type SentData = Schemas['SentData']
export type PaymentSuccessData = Schemas['PaymentSuccessData']
