"""Countries and their money: what an account's IBAN, or a country's name in a file's name, says.

The countries that have an IBAN are those of SWIFT's registry (ISO 13616); codes are of ISO 3166.
"""

import re

_EURO = "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK EL"
_OWN = """
    AE:AED AL:ALL AR:ARS AU:AUD AZ:AZN BA:BAM BH:BHD BI:BIF BR:BRL BY:BYN CA:CAD CH:CHF CL:CLP CN:CNY
    CO:COP CR:CRC CZ:CZK DJ:DJF DK:DKK DO:DOP EG:EGP FO:DKK GB:GBP GE:GEL GI:GIP GL:DKK GT:GTQ HK:HKD
    HN:HNL HU:HUF ID:IDR IL:ILS IN:INR IQ:IQD IS:ISK JO:JOD JP:JPY KE:KES KR:KRW KW:KWD KZ:KZT LB:LBP
    LI:CHF LY:LYD MA:MAD MD:MDL MK:MKD MN:MNT MR:MRU MU:MUR MX:MXN MY:MYR NG:NGN NI:NIO NO:NOK NZ:NZD
    OM:OMR PE:PEN PH:PHP PK:PKR PL:PLN QA:QAR RO:RON RS:RSD RU:RUB SA:SAR SC:SCR SD:SDG SE:SEK SG:SGD
    SO:SOS TH:THB TN:TND TR:TRY TW:TWD UA:UAH UK:GBP US:USD VG:USD VN:VND YE:YER ZA:ZAR
"""
CURRENCY_OF_COUNTRY = {
    **dict.fromkeys(_EURO.split(), "EUR"),
    **{code: money for code, _, money in (each.partition(":") for each in _OWN.split())},
}
"""The currency of a country by its code of two letters; “UK” and “EL” are in use for GB and GR."""

_NAMES = """
    uk:GBP|usa:USD|united states:USD|united kingdom:GBP|britain:GBP|canada:CAD
    |canadian:CAD|australia:AUD|australian:AUD|new zealand:NZD|india:INR|indian:INR|japan:JPY
    |japanese:JPY|china:CNY|korea:KRW|korean:KRW|taiwan:TWD|hong kong:HKD|hongkong:HKD|singapore:SGD
    |malaysia:MYR|thailand:THB|thai:THB|vietnam:VND|indonesia:IDR|philippines:PHP|brasil:BRL|brazil:BRL
    |brazilian:BRL|mexico:MXN|argentina:ARS|chile:CLP|colombia:COP|switzerland:CHF|swiss:CHF|schweiz:CHF
    |suisse:CHF|sweden:SEK|swedish:SEK|sverige:SEK|norway:NOK|norwegian:NOK|norge:NOK|denmark:DKK
    |danish:DKK|danmark:DKK|iceland:ISK|poland:PLN|polish:PLN|polska:PLN|czech:CZK|hungary:HUF
    |hungarian:HUF|romania:RON|turkey:TRY|turkish:TRY|ukraine:UAH|russia:RUB|israel:ILS
    |south africa:ZAR|nigeria:NGN|kenya:KES|germany:EUR|deutschland:EUR|austria:EUR|austrian:EUR
    |france:EUR|italy:EUR|italia:EUR|italian:EUR|spain:EUR|espana:EUR|netherlands:EUR|nederland:EUR
    |dutch:EUR|belgium:EUR|belgie:EUR|belgique:EUR|finland:EUR|suomi:EUR|ireland:EUR|portugal:EUR
    |greece:EUR|greek:EUR|french:EUR|german:EUR
"""
CURRENCY_OF_COUNTRY_NAME = {
    name: money
    for name, _, money in (
        each.strip().partition(":") for each in " ".join(_NAMES.split()).split("|")
    )
}
"""The currency of a country, or of what is called after it, in small letters."""

_IBAN = re.compile(r"([A-Z]{2})\d{2}[A-Z0-9]{11,30}")
_SEPARATORS = re.compile(r"[\s'._-]+")


def currency_of_iban(number: str) -> str | None:
    """The currency of the country whose IBAN a number is by its form, None for any other number.

    The check digits are not looked at, because banks mask the middle of a number.
    """
    found = _IBAN.fullmatch(_SEPARATORS.sub("", number).replace("*", "X").upper())
    return CURRENCY_OF_COUNTRY.get(found[1]) if found else None
